import ArgumentParser

/// The choice of when results and errors are coloured.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case never, auto, always
}

/// The flags of a verb that colours its output.
struct ColorFlags: ParsableArguments {
  @Option(help: "never, auto or always; auto colours on a terminal, unless NO_COLOR is set.")
  var color = ColorChoice.auto
}

/// The flags of a verb whose results may be longer than a screen.
struct ScreenFlags: ParsableArguments {
  @OptionGroup var colors: ColorFlags

  @Flag(help: "Print to the terminal without a pager.")
  var noPager = false
}

/// A verb that colours what it prints.
protocol ColoredVerb {
  var colors: ColorFlags { get }
}

/// A verb whose results may be longer than a screen.
protocol PagedVerb: ColoredVerb {
  var screen: ScreenFlags { get }
}

extension PagedVerb {
  var colors: ColorFlags { screen.colors }
}
