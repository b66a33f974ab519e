/// The collection operators of key paths.
package enum AggregateOperator: String, Hashable, Sendable, CaseIterable {
  case count = "@count"
  case min = "@min"
  case max = "@max"
  case sum = "@sum"
  case average = "@avg"
  case allKeys = "@allKeys"
  case allValues = "@allValues"
}
