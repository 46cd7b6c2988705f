//! Prints a demo's frames.
use partition_story::*;
fn main() {
    let mut args = std::env::args().skip(1);
    let id = args.next().unwrap();
    let mut values = InputValues::defaults();
    for arg in args {
        let (k, v) = arg.split_once('=').unwrap();
        values = values.with(k, v);
    }
    let text = Demo::find(&id).map_or_else(|| std::fs::read_to_string(&id).unwrap(), |d| d.text.to_string());
    let scenario = parse(&text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scenario.to_string(), text);
    let mut story = Story::run(&scenario, &values).unwrap_or_else(|e| panic!("{e}"));
    for i in 0..story.len() {
        let f = story.frame(i);
        let phase = f.phase.map_or("-".into(), |p| story.phases()[p].id.clone());
        println!(
            "{:2} {:12} [{:24}] ({:3}) {}",
            i + 1,
            phase,
            f.command,
            f.sentence.length(),
            f.sentence
        );
        if std::env::var("STEPS").is_ok() {
            for s in &f.steps {
                println!("        {s}");
            }
        }
    }
    for c in story.expectations() {
        if !c.met {
            println!(
                "EXPECT line {} {}: expected {} found {:?}",
                c.line, c.key, c.expected, c.actual
            );
        }
    }
    println!("{:?}", story.extents());
}
