from tools.protocol_tables import PAGE, renewed

PAGE.write_text(renewed(PAGE.read_text()))
