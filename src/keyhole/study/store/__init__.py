"""Where a study is kept: the promises of a store, and the databases that keep them."""
