//! `git-cora`: arguments in, exit code out.

fn main() {}
