//! Writes every frame of the demos, or of one demo or scenario file, as SVG:
//! `cargo run -p partition-figure --example gallery -- FOLDER [all|DEMO|FILE [light|dark]]`.

use partition_figure::{Theme, layout, svg};
use partition_story::{InputValues, Story, demos, parse};

const WIDTHS: [u32; 3] = [328, 704, 1160];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = std::path::PathBuf::from(arguments.next().ok_or("which folder?")?);
    let only = arguments.next().filter(|name| name != "all");
    let theme = if arguments.next().as_deref() == Some("dark") {
        Theme::Dark
    } else {
        Theme::Light
    };
    std::fs::create_dir_all(&folder)?;
    let mut texts: Vec<(String, String)> = demos()
        .iter()
        .map(|demo| (demo.id.to_string(), demo.text.to_string()))
        .collect();
    if let Some(only) = only {
        texts.retain(|(id, _)| *id == only);
        if texts.is_empty() {
            let name = std::path::Path::new(&only)
                .file_stem()
                .ok_or("which file?")?
                .to_string_lossy()
                .into_owned();
            texts.push((name, std::fs::read_to_string(&only)?));
        }
    }
    for (id, text) in texts {
        let mut story = Story::run(&parse(&text)?, &InputValues::defaults())?;
        for width in WIDTHS {
            let mut most = 0;
            let mut height = 0;
            for index in 0..story.len() {
                let frame = story.frame(index);
                let scene = layout(&frame, width);
                most = most.max(scene.nodes.len());
                height = scene.height / 10;
                let name = format!("{}-{width}-{:02}.svg", id, index + 1);
                std::fs::write(folder.join(name), svg(&scene, theme))?;
                if width == WIDTHS[0] {
                    println!("{:02} {} | {}", index + 1, frame.command, frame.sentence);
                }
            }
            println!(
                "{} at {width}: {} frames, {height} px, at most {most} nodes",
                id,
                story.len()
            );
        }
    }
    Ok(())
}
