"""A plan as text."""


def test_the_table_is_as_wide_as_a_terminal_and_complete(small_plan):
    text = str(small_plan)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 100
    assert "Designs for a total of 120 tests" in text
    for design in small_plan.designs[120]:
        assert any(design.learner in line and design.layout in line for line in lines)
    assert " *" in text
    assert "…" not in text
