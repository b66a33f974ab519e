/// Carries a value over to the context it belongs to.
struct UncheckedBox<Value>: @unchecked Sendable {
  // Unchecked: only touched on the context that the value belongs to.
  let value: Value
  init(_ value: Value) { self.value = value }
}
