/// The throwing forms of what a Realm, an object or a collection can do, under the same names.
///
/// `realm.create(Person.self, value: text)` ends the process when a value does not fit; `try
/// realm.throwing.create(Person.self, value: text)` throws `Realm.Error` with the very same message instead. Use it wherever the
/// data decides whether a call can work. Everything else (threads, transactions, cost) is as for the plain form; a call that
/// throws has changed nothing unless its own description says so.
public struct Throwing<Base> {
  @usableFromInline package let base: Base

  @inlinable
  init(_ base: Base) { self.base = base }
}

/// A type that has throwing forms.
public protocol HasThrowingForms {}

extension HasThrowingForms {
  /// The same calls, throwing `Realm.Error` where the plain ones end the process. Costs nothing.
  @inlinable
  public var throwing: Throwing<Self> { Throwing(self) }
}

extension Realm: HasThrowingForms {}
