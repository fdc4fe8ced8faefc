//! Reads formulas from standard input and prints their values.

use std::io::BufRead;

use calc::environment::Environment;
use calc::format::format_number;

fn main() {
    let environment = Environment::with_constants();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match calc::calculate(&line, &environment) {
            Ok(value) => println!("{}", format_number(value)),
            Err(error) => eprintln!("error: {error}"),
        }
    }
}
