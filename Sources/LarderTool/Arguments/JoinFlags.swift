import ArgumentParser
import LarderInspection

/// Objects of another class that those of a query are paired with.
struct JoinFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Pair objects with those of another class that have equal values; its properties are written Class.property.",
      valueName: "class"))
  var join: String?

  @Option(
    help: ArgumentHelp(
      "What has to be equal: properties, or what is computed as in 'hour(date)', separated by commas, as name=other where they differ.",
      valueName: "properties"))
  var on: String?

  @Option(help: ArgumentHelp("A predicate for the objects of the other class.", valueName: "predicate"))
  var joinWhere: String?

  @Flag(help: "Keep objects without a partner.")
  var leftJoin = false

  func validate() throws {
    guard join == nil || !properties.isEmpty else { throw ValidationError("--join needs --on") }
    guard join != nil || on == nil && joinWhere == nil && !leftJoin else {
      throw ValidationError("--on, --join-where and --left-join need --join")
    }
  }

  private var properties: [String] { on.map { PropertyList.split($0) } ?? [] }

  /// The join; nil without `--join`.
  var request: QueryRunner.Join? {
    guard let join else { return nil }
    var request = QueryRunner.Join(className: join, on: properties)
    (request.predicate, request.keepsLeft) = (joinWhere, leftJoin)
    return request
  }
}
