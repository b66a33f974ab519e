/// The collection operators of key paths that give one value.
package enum AggregateOperator: String, Hashable, Sendable, CaseIterable {
  case count = "@count"
  case min = "@min"
  case max = "@max"
  case sum = "@sum"
  case average = "@avg"
}
