import ArgumentParser

/// The flags that say what an import does with faults and with objects that are there already, and whether it keeps anything.
struct TrialFlags: ParsableArguments {
  @Flag(help: "Leave out lines with faults and report them, instead of ending at the first.")
  var keepGoing = false

  @Flag(
    help: "Overwrite objects whose primary key is in the store; required properties without a field keep their values.")
  var update = false

  @Flag(help: "Let fields that an existing class does not know become new properties.")
  var addProperties = false

  @Flag(
    help:
      "Try everything and keep nothing: classes, properties, counts and faults are said, and no file is made or changed."
  )
  var dryRun = false
}
