"""How well messages are understood: labelled rows read by the rules and compared with what people say they mean."""
