from tools.protocol_tables import PAGE, SCHEMA, corpus, renewed, written_schema

PAGE.write_text(renewed(PAGE.read_text()))
SCHEMA.write_text(written_schema())
corpus.FRAMES.write_text("".join(f"{line}\n" for line in corpus.lines()))
corpus.REFUSED.write_text("".join(f"{line}\n" for line in corpus.refused_lines()))
