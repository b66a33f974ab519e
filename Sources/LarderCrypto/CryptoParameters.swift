import CCrypto

/// A list of named texts for libcrypto, in the form that its calls take.
///
/// `OSSL_PARAM` holds the pointers that it is given, to names as well as to values. A Swift string that is passed where C expects a
/// pointer lives only until that call returns, so a parameter that is made of one points to freed memory. Here names and values are
/// copies of the list's own, freed with it; `make lint` refuses parameters that are made elsewhere.
package final class CryptoParameters {
  private let parameters: UnsafeMutableBufferPointer<OSSL_PARAM>
  private let texts: [UnsafeMutableBufferPointer<CChar>]

  package init(_ values: KeyValuePairs<String, String>) {
    var texts: [UnsafeMutableBufferPointer<CChar>] = []
    func owned(_ text: String) -> UnsafeMutableBufferPointer<CChar> {
      let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.utf8.count + 1)
      _ = copy.initialize(from: text.utf8CString)
      texts.append(copy)
      return copy
    }
    parameters = .allocate(capacity: values.count + 1)
    for (index, (name, value)) in values.enumerated() {
      parameters.initializeElement(
        at: index, to: OSSL_PARAM_construct_utf8_string(owned(name).baseAddress, owned(value).baseAddress, 0))
    }
    parameters.initializeElement(at: values.count, to: OSSL_PARAM_construct_end())
    self.texts = texts
  }

  deinit {
    parameters.deallocate()
    for text in texts { text.deallocate() }
  }

  /// Calls with the list, which must not be used after the call.
  package func withParameters<Result>(_ body: (UnsafePointer<OSSL_PARAM>?) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(UnsafePointer(parameters.baseAddress)) }
  }

  /// The names and values as libcrypto reads them.
  package var read: [(name: String, value: String)] {
    parameters.dropLast().map { parameter in
      let value = parameter.data?.assumingMemoryBound(to: CChar.self)
      return (String(cString: parameter.key), value.map { String(cString: $0) } ?? "")
    }
  }
}
