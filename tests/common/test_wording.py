"""Lists of names, and numbers of things, in sentences."""

from keyhole.common.wording import counted, listed


def test_a_long_list_ends_with_the_number_of_the_others():
    assert listed(["age", "pulse"]) == "'age', 'pulse'"
    assert listed(["age", "pulse", "iron", "ecg"]) == "'age', 'pulse', 'iron' and 1 more"


def test_one_thing_is_in_the_singular():
    assert [counted(n, "example") for n in (0, 1, 1200)] == ["0 examples", "1 example", "1,200 examples"]
