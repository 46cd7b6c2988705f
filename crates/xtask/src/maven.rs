//! Java programs around Apache Kafka's own classes, which Maven fetches.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::{files, find, quiet, say};
use crate::workspace::Workspace;

/// What a command that needs Java says where it is missing.
pub const MISSING: &str = "this needs a JDK 17 and Maven: install them (Debian: openjdk-17-jdk-headless, maven)";

/// Maven, on a machine that has a JDK, too.
pub struct Maven {
    program: PathBuf,
}

/// A compiled project.
pub struct Program {
    /// Where its classes and those of its dependencies are.
    pub class_path: String,
}

impl Maven {
    /// Maven; `None` where it or the JDK is missing.
    pub fn find() -> Option<Maven> {
        let program = find("mvn").filter(|_| find("java").is_some())?;
        Some(Maven { program })
    }

    /// Compiles `tests/PROJECT`.
    ///
    /// # Errors
    ///
    /// Maven's own words.
    pub fn compile(&self, workspace: &Workspace, project: &str) -> Result<Program> {
        let out = workspace.scratch(project);
        fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
        let path_file = out.join("classpath");
        let sources = workspace.root().join("tests").join(project);
        if !made_after(&path_file, &sources)? {
            self.build(project, &sources, &out, &path_file)?;
        }
        let dependencies = fs::read_to_string(&path_file)?;
        Ok(Program {
            class_path: format!("{}:{}", out.join("classes").display(), dependencies.trim()),
        })
    }

    fn build(&self, project: &str, sources: &Path, out: &Path, path_file: &Path) -> Result<()> {
        say(&format!(
            "compiling tests/{project}; Maven fetches Kafka's classes into its own folder (~/.m2, the first time)"
        ));
        let mut command = Command::new(&self.program);
        command
            .current_dir(sources)
            .args(["--quiet", "--batch-mode"])
            .arg(format!("-DbuildDirectory={}", out.display()))
            .arg(format!("-Dmdep.outputFile={}", path_file.display()))
            .args(["compile", "dependency:build-classpath"]);
        quiet(&mut command).with_context(|| {
            format!("Maven could not build tests/{project}; it needs Maven Central, or a mirror of it")
        })?;
        Ok(())
    }
}

impl Program {
    /// The archives that hold the classes of its dependencies.
    pub fn archives(&self) -> impl Iterator<Item = &Path> {
        let parts = self.class_path.split(':').map(Path::new);
        parts.filter(|part| part.extension().is_some_and(|ending| ending == "jar"))
    }
}

/// Whether a file is there and was made after everything in a folder.
fn made_after(file: &Path, folder: &Path) -> Result<bool> {
    let Ok(made) = fs::metadata(file).and_then(|file| file.modified()) else {
        return Ok(false);
    };
    let changed = files(folder)?
        .into_iter()
        .map(|source| Ok(fs::metadata(source)?.modified()?));
    Ok(changed
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .all(|changed| changed < made))
}
