import LarderSyncProtocol

/// A set of subscriptions that is being changed. A value: the rules of names and identity (Y-8 to Y-11).
struct SubscriptionDraft: Hashable, Sendable {
  private(set) var subscriptions: [SubscriptionRecord]
  /// True if a name that is there gets another query instead of being refused: in blocks of `initialSubscriptions`, which run again.
  let replacesNames: Bool

  init(_ subscriptions: [SubscriptionRecord], replacesNames: Bool = false) {
    self.subscriptions = subscriptions
    self.replacesNames = replacesNames
  }

  /// Returns the index of the subscription of a name; without a name, of the unnamed one with the query.
  func position(_ name: SyncText?, _ query: SubscribedCondition) -> Int? {
    if let name { return subscriptions.firstIndex { $0.name == name } }
    return subscriptions.firstIndex { $0.name == nil && query.isAsked(by: $0) }
  }

  /// The subscription that is in the set for certain as another value of it, which may have been made before.
  func position(of record: SubscriptionRecord) -> Int? {
    if let name = record.name { return subscriptions.firstIndex { $0.name == name } }
    return subscriptions.firstIndex { $0.name == nil && $0.hasSameQuery(as: record) }
  }

  /// Adds a subscription; one that is there stays as it is (Y-9).
  ///
  /// - Throws: `NameConflict` where the name has another query.
  mutating func append(_ name: SyncText?, _ query: SubscribedCondition, at time: UInt64) throws(NameConflict) {
    guard let found = position(name, query) else { return add(name, query, time) }
    guard !query.isAsked(by: subscriptions[found]) else { return }
    guard replacesNames else { throw NameConflict(present: subscriptions[found], wanted: query) }
    replace(at: found, query, time)
  }

  /// Adds a subscription, or gives the one of the name another query (Y-10).
  ///
  /// - Returns: Whether the set changed.
  mutating func put(_ name: SyncText?, _ query: SubscribedCondition, at time: UInt64) -> Bool {
    guard let found = position(name, query) else {
      add(name, query, time)
      return true
    }
    guard !query.isAsked(by: subscriptions[found]) else { return false }
    replace(at: found, query, time)
    return true
  }

  private mutating func add(_ name: SyncText?, _ query: SubscribedCondition, _ time: UInt64) {
    subscriptions.append(
      SubscriptionRecord(
        name: name, className: query.className, predicate: query.predicate, arguments: query.arguments, createdAt: time,
        updatedAt: time))
  }

  /// Gives a subscription another query; its place and the time it was made stay.
  mutating func replace(at index: Int, _ query: SubscribedCondition, _ time: UInt64) {
    subscriptions[index].className = query.className
    subscriptions[index].predicate = query.predicate
    subscriptions[index].arguments = query.arguments
    subscriptions[index].updatedAt = max(time, subscriptions[index].updatedAt)
  }

  /// Removes some; nothing where there are none (Y-11).
  mutating func remove(where condition: (SubscriptionRecord) -> Bool) { subscriptions.removeAll(where: condition) }

  /// A name that has another query.
  struct NameConflict: Error {
    let present: SubscriptionRecord
    let wanted: SubscribedCondition

    var message: String {
      "The name '\(present.name?.string ?? "")' is taken by the subscription to '\(present.className)' with '\(present.queryText)'; it cannot have '\(wanted.className)' with '\(wanted.queryText)' as well. Use updateQuery, or another name."
    }
  }
}

/// The condition of a subscription: a class, and a predicate in canonical text with its arguments.
struct SubscribedCondition: Hashable, Sendable {
  var className: SyncText
  var predicate: SyncText
  var arguments: [SyncValue]

  /// Returns true if a subscription asks for just that (Y-8).
  func isAsked(by record: SubscriptionRecord) -> Bool {
    record.className == className && record.predicate == predicate && record.arguments == arguments
  }

  var queryText: String { QueryText.text(predicate.string, arguments) }
}

extension SubscriptionRecord {
  /// The query with its values put in, for readers.
  var queryText: String { QueryText.text(predicate.string, arguments) }
}

/// The text of a query with its values put in, for readers.
enum QueryText {
  static func text(_ predicate: String, _ arguments: [SyncValue]) -> String {
    guard !arguments.isEmpty else { return predicate }
    var result = ""
    var rest = arguments[...]
    var isQuoted = false
    var characters = Array(predicate)[...]
    while let character = characters.popFirst() {
      if character == "\\", isQuoted, let next = characters.popFirst() {
        result += String([character, next])
        continue
      }
      if character == "'" { isQuoted.toggle() }
      guard character == "%", !isQuoted, let kind = characters.first, kind == "@" || kind == "K",
        let argument = rest.popFirst()
      else {
        result.append(character)
        continue
      }
      characters.removeFirst()
      result += kind == "K" ? plain(argument) : quoted(argument)
    }
    return result
  }

  private static func plain(_ value: SyncValue) -> String {
    if case .string(let text) = value { text.string } else { quoted(value) }
  }

  private static func quoted(_ value: SyncValue) -> String {
    StoredText.text(value)
  }
}
