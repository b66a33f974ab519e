import LarderCrypto
import Testing

@Suite("Parameters of libcrypto") struct CryptoParametersTests {
  @Test("F-17: names and values live as long as their list, whatever is allocated and freed meanwhile") func lifetime()
  {
    let long = String(repeating: "digest", count: 40)
    let lists = (0..<64).map { CryptoParameters(["\(long)-\($0)": "SHA\($0)", "short": ""]) }
    // Takes the memory that temporary C strings of the calls above would have been freed to.
    let noise = (0..<512).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 200 + $0 % 80) }
    for (number, list) in lists.enumerated() {
      #expect(list.read.map(\.name) == ["\(long)-\(number)", "short"])
      #expect(list.read.map(\.value) == ["SHA\(number)", ""])
    }
    #expect(noise.count == 512)
  }
}
