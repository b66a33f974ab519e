import LarderStorage

extension ColumnKernel {
  /// Asks `accepts` once for each value of a leaf with a dictionary, and gives every slot the answer of its value.
  func scanDictionary(
    _ leaf: LeafView, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>,
    _ accepts: (UnsafeRawBufferPointer) -> Bool
  ) -> Outcome {
    let pointers = leaf.pointers
    let count = pointers.entryCount
    return withUnsafeTemporaryAllocation(of: Bool.self, capacity: count) { answers in
      var accepted = 0
      for code in 0..<count {
        answers[code] = accepts(pointers.entry(code))
        if answers[code] { accepted += 1 }
      }
      guard accepted > 0 else { return .none }
      guard accepted < count else { return .all }
      visit(leaf, candidates, result) { answers[pointers.code($0)] }
      return .mixed
    }
  }
}
