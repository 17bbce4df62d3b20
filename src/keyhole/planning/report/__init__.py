"""A plan for people and programs: a table, sentences, a paragraph for the protocol, a picture, JSON."""
