"""The paragraph for the protocol of a study; test_sentences.py has its other cases."""

import dataclasses


def test_the_paragraph_for_the_protocol(small_plan):
    said = small_plan.methods_paragraph()
    for words in ("seed 0", "a pilot of 40 examples and 6 attributes (complete)", str(small_plan.best()), "120 tests"):
        assert words in said
    assert "A design is written as a learner and tests of each example x number of examples." in said
    assert "the pilot is a random sample of the examples" in said
    missed = dataclasses.replace(small_plan, target=0.01).methods_paragraph()
    assert "No design is expected to reach the target, 0.01." in missed
    partial = dataclasses.replace(small_plan, share_present=0.7).methods_paragraph()
    assert "(70% of the cells present)" in partial
