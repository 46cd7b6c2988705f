//! Nothing is left unsaid or half done, and nothing depends on the machine that it was written on.

use crate::tree::{File, files};

/// Text files that people write; what tools write (lock files) names whatever it likes.
fn written() -> impl Iterator<Item = File> {
    let all = files("").into_iter();
    all.filter(|file| file.extension() != "lock" && !file.path.ends_with("package-lock.json"))
}

#[test]
fn nothing_is_put_off() {
    let marks = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X:"),
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("#[ig", "nore"),
        concat!("dbg", "!("),
        concat!("console", ".log("),
    ];
    for file in written() {
        // A build or a test speaks on the console; the page does not.
        let speaks = file.path.ends_with(".mjs") || file.path.starts_with("www/test");
        for (number, line) in file.text().unwrap_or_default().lines().enumerate() {
            for mark in marks {
                let fine = speaks && mark.starts_with("console");
                assert!(fine || !line.contains(mark), "{}:{}: {mark}", file.path, number + 1);
            }
        }
    }
}

#[test]
fn no_path_of_one_machine_is_written_down() {
    let paths = [
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
        concat!("/Us", "ers/"),
        concat!("C:\\", "Users"),
        concat!("/wo", "rk/"),
        concat!("file:", "//"),
    ];
    for file in written() {
        for (number, line) in file.text().unwrap_or_default().lines().enumerate() {
            for path in paths {
                assert!(!line.contains(path), "{}:{}: {path}", file.path, number + 1);
            }
        }
    }
}

#[test]
fn text_is_utf8_with_unix_line_ends() {
    let prose = [
        "rs", "ts", "mjs", "css", "html", "md", "toml", "json", "pod", "out", "svg", "yml",
    ];
    for file in written().filter(|file| prose.contains(&file.extension())) {
        let text = file.text().unwrap_or_else(|| panic!("{} is not UTF-8", file.path));
        assert!(!text.contains('\r'), "{} has carriage returns", file.path);
        assert!(
            text.is_empty() || text.ends_with('\n'),
            "{} lacks its last line end",
            file.path
        );
    }
}

#[test]
fn every_source_file_says_what_it_is_for() {
    let sources = written().filter(|file| file.extension() == "rs");
    let silent: Vec<String> = sources
        .filter(|file| !file.text().is_some_and(|text| text.starts_with("//!")))
        .map(|file| file.path)
        .collect();
    assert_eq!(silent, Vec::<String>::new(), "these begin without a word on themselves");
}
