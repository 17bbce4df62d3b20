"""The method of Sabato and Kalai (2013): moments estimated from judgments, offers, and the greedy choice among them."""
