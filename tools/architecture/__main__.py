from tools.architecture import PAGE, renewed

PAGE.write_text(renewed(PAGE.read_text()))
