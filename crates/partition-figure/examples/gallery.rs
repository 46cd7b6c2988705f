//! Writes every frame of every demo as SVG: `cargo run -p partition-figure --example gallery -- DIR [DEMO [light|dark]]`.

use partition_figure::{Theme, layout, svg};
use partition_story::{InputValues, Story, demos, parse};

const WIDTHS: [u32; 3] = [328, 704, 1160];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = std::path::PathBuf::from(arguments.next().ok_or("which folder?")?);
    let only = arguments.next().filter(|name| name != "all");
    let theme = if arguments.next().as_deref() == Some("dark") { Theme::Dark } else { Theme::Light };
    std::fs::create_dir_all(&folder)?;
    for demo in demos() {
        if only.as_deref().is_some_and(|only| only != demo.id) {
            continue;
        }
        let mut story = Story::run(&parse(demo.text)?, &InputValues::defaults())?;
        for width in WIDTHS {
            let mut most = 0;
            let mut height = 0;
            for index in 0..story.len() {
                let frame = story.frame(index);
                let scene = layout(&frame, width);
                most = most.max(scene.nodes.len());
                height = scene.height / 10;
                let name = format!("{}-{width}-{:02}.svg", demo.id, index + 1);
                std::fs::write(folder.join(name), svg(&scene, theme))?;
                if width == WIDTHS[0] {
                    println!("{:02} {} | {}", index + 1, frame.command, frame.sentence);
                }
            }
            println!("{} at {width}: {} frames, {height} px, at most {most} nodes", demo.id, story.len());
        }
    }
    Ok(())
}
