class GitCora < Formula
  desc "{{description}}"
  homepage "{{homepage}}"
  version "{{version}}"
  license any_of: ["MIT", "Apache-2.0"]

{{places}}

  depends_on "git"

  def install
    bin.install "bin/git-cora"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/bash-completion/completions/git-cora"
    zsh_completion.install "share/zsh/site-functions/_git-cora"
    fish_completion.install "share/fish/vendor_completions.d/git-cora.fish"
  end

  test do
    system "git", "init"
    (testpath/"a.py").write "def parse_header(text):\n    return text\n"
    assert_match "parse_header", shell_output("#{bin}/git-cora query parse header")
  end
end
