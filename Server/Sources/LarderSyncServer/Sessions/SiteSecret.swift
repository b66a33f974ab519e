import Crypto
import LarderSyncProtocol

/// The secret with which a site proves itself. The store has its hash alone.
enum SiteSecret {
  /// A new site with a secret of 32 bytes, at random.
  static func makeSite() -> SiteCredential {
    var random = SystemRandomNumberGenerator()
    let site = SiteID(high: random.next(), low: random.next() | 1)
    let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return SiteCredential(site: site, secret: secret)
  }

  /// Returns the hash that the store keeps: SHA-256. A secret of 32 random bytes needs no slow hash.
  static func hash(_ secret: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: secret)) }
}
