/// Something that is left for a person to do.
package struct Finding: Sendable, Equatable {
  /// The subject of the finding; the names are stable, for programs that read them.
  package enum Kind: String, Sendable, CaseIterable {
    case holderUse = "holder-use"
    case holderType = "holder-type"
    case undecidedProperty = "undecided-property"
    case unreadableProperty = "unreadable-property"
    case unknownSuperclass = "unknown-superclass"
    case namedMethod = "named-method"
    case objectiveC = "objective-c"
    case objectiveCName = "objective-c-name"
    case optionalRequirement = "optional-requirement"
    case keyPath = "key-path"
    case selector
    case keyValueObserving = "key-value-observing"
    case combine
    case swiftUI = "swiftui"
    case oldClass = "old-class"
    case sync
    case updatePolicy = "update-policy"
    case superInit = "super-init"
    case inMemory = "in-memory"
    case nsError = "ns-error"
    case syntaxError = "syntax-error"
  }

  package let kind: Kind
  /// The bytes it is about, in the file as it was read.
  package let range: Range<Int>
  package let advice: String
  /// The edits to make, if they are known; also in the file as it was read.
  package let suggestion: [Edit]

  package init(_ kind: Kind, _ range: Range<Int>, _ advice: String, suggestion: [Edit] = []) {
    self.kind = kind
    self.range = range
    self.advice = advice
    self.suggestion = suggestion
  }
}
