import ArgumentParser

/// The command-line tool `larder`: looks into stores, fills them and checks them, without model classes.
struct LarderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "larder",
    abstract: "Looks into Larder stores, fills them and checks them.",
    discussion: """
      Works on any store: classes and properties are read from the file.

      Stores that exist are only read, unless --write says otherwise. With --json results and errors are JSON.

      Exit codes: 0 all went well; 1 a check found a problem, a comparison a difference, a repair a loss, an import with \
      --keep-going lines to leave out, or of a .realm file something that cannot be carried over; 2 the command line is wrong; 3 \
      something failed, and nothing was changed; 4 a migration would lose values without --accept-loss, and nothing was changed.

      EXAMPLE
        larder import cities.csv --into world.larder --class City --primary-key id
        larder query world.larder City 'population > 1000000' --sort name --limit 10
      """,
    version: "0.9.0",
    groupedSubcommands: [
      CommandGroup(
        name: "Look",
        subcommands: [
          ClassesCommand.self, QueryCommand.self, SQLCommand.self, InspectCommand.self, WatchCommand.self,
          ExplainCommand.self,
          AdviseCommand.self, InfoCommand.self, DuCommand.self, SchemaCommand.self, DiffCommand.self, ShellCommand.self,
          StudioCommand.self,
        ]),
      CommandGroup(
        name: "Move data",
        subcommands: [
          ImportCommand.self, ExportCommand.self, DumpCommand.self, LoadCommand.self, BackupCommand.self,
        ]),
      CommandGroup(
        name: "Change",
        subcommands: [EditCommand.self, MigrateCommand.self, CompactCommand.self, RekeyCommand.self]),
      CommandGroup(name: "Care", subcommands: [CheckCommand.self, RepairCommand.self]),
      CommandGroup(name: "The tool itself", subcommands: [CompletionsCommand.self, ManCommand.self]),
    ])
}
