/// Finds fields of one object by name, many of them in the same time as few.
struct FieldLookup {
  /// Up to so many are looked at one by one.
  private static let fewFields = 48

  private let fields: [InputField]
  private let places: [ByteName: Int]?

  init(_ fields: [InputField]) {
    self.fields = fields
    places =
      fields.count > Self.fewFields
      ? Dictionary(fields.enumerated().map { (ByteName($1.name), $0) }) { first, _ in first } : nil
  }

  /// The value of a field; a name with dots also reaches into nested objects.
  func node(_ name: String) -> InputNode? {
    guard let places else { return InputRecord.find(name[...], in: fields) }
    if let place = places[ByteName(name)] { return fields[place].node }
    guard let dot = name.firstIndex(of: "."), let place = places[ByteName(String(name[..<dot]))],
      case .object(let inner) = fields[place].node.value
    else { return nil }
    return InputRecord.find(name[name.index(after: dot)...], in: inner)
  }
}
