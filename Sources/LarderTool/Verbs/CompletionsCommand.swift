import ArgumentParser

struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Prints a script that lets a shell complete verbs, flags and files.",
    discussion: """
      EXAMPLE
        larder completions bash > /etc/bash_completion.d/larder
        larder completions zsh > ~/.zfunc/_larder
        larder completions fish > ~/.config/fish/completions/larder.fish
      """)

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  func run() throws {
    Terminal.write(RootCommand.type.completionScript(for: CompletionShell(rawValue: shell.rawValue) ?? .bash))
  }
}
