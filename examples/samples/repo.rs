// A repository for the examples in the documentation: two commits of two small files.

/// Creates the repository `sample` in a temporary directory, which is removed on drop.
pub struct Sample(std::path::PathBuf, #[allow(dead_code)] tempfile::TempDir);

impl Sample {
    pub fn path(&self) -> &std::path::Path {
        &self.0
    }
}

pub fn repository() -> std::io::Result<Sample> {
    let dir = tempfile::tempdir()?;
    let path = dir.path().canonicalize()?.join("sample");
    std::fs::create_dir_all(path.join("src"))?;
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgSign=false"]);
        let status = command.args(args).current_dir(&path).status()?;
        if status.success() { Ok(()) } else { Err(std::io::Error::other(format!("git {args:?}"))) }
    };
    git(&["init", "-q"])?;
    git(&["config", "uploadpack.allowFilter", "true"])?;
    git(&["config", "uploadpack.allowAnySHA1InWant", "true"])?;
    let send = "/// Sends a file to the server.\n\
                pub fn send(file: &str) -> bool {\n    !file.is_empty()\n}\n";
    std::fs::write(path.join("src/net.rs"), send)?;
    git(&["add", "-A"])?;
    git(&["commit", "-q", "-m", "first"])?;
    let upload = "use crate::net::send;\n\n\
                  /// Sends a file again until it arrives.\n\
                  pub fn retry_upload(file: &str) {\n    while !send(file) {}\n}\n";
    std::fs::write(path.join("src/upload.rs"), upload)?;
    git(&["add", "-A"])?;
    git(&["commit", "-q", "-m", "retry"])?;
    Ok(Sample(path, dir))
}
