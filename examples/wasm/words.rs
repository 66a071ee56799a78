//! Counts the words of a text: `{"text": "to be or not to be"}` on standard input,
//! `{"words":6,"different":4,"most":"be"}` on standard output.
use std::collections::BTreeMap;
use std::io::{Read, Write};

/// The text of a JSON string that begins after its quote.
fn unescaped(json: &str) -> String {
    let mut text = String::new();
    let mut letters = json.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => break,
            '\\' => match letters.next() {
                Some('u') => {
                    letters.nth(3);
                    text.push('\u{fffd}');
                }
                Some('n') | Some('t') | Some('r') | Some('b') | Some('f') => text.push(' '),
                Some(other) => text.push(other),
                None => break,
            },
            other => text.push(other),
        }
    }
    text
}

fn main() {
    let mut json = String::new();
    if std::io::stdin().read_to_string(&mut json).is_err() {
        std::process::exit(1);
    }
    let value = json.split_once(':').map_or("", |(_, value)| value);
    let text = unescaped(value.trim_start().trim_start_matches('"')).to_ascii_lowercase();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || !c.is_ascii())).filter(|word| !word.is_empty());
    for word in words {
        *counts.entry(word).or_insert(0) += 1;
    }
    let all: u32 = counts.values().sum();
    let most = counts.iter().max_by_key(|(word, count)| (**count, std::cmp::Reverse(**word)));
    let most = most.map_or("", |(word, _)| word);
    let answer = ["{\"words\":", &all.to_string(), ",\"different\":", &counts.len().to_string()];
    let rest = [",\"most\":\"", most, "\"}"];
    let written = std::io::stdout().write_all((answer.concat() + &rest.concat()).as_bytes());
    std::process::exit(if written.is_ok() { 0 } else { 1 });
}
