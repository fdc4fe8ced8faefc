//! The door to Git against real repositories, with the `git` program as the judge.
