/// A limit on the number of something in a second, averaged: a bucket of so many that fills again. A value.
struct RateLimit: Sendable {
  private let perSecond: Double
  private var left: Double
  private var time: Int64

  init(perSecond: Int, now: Int64) {
    self.perSecond = Double(max(1, perSecond))
    left = self.perSecond
    time = now
  }

  /// Takes so many; the milliseconds to wait when there are not enough. More than fit into the bucket are taken from a full one.
  mutating func take(_ count: Int, now: Int64) -> Int64? {
    left = min(perSecond, left + perSecond * Double(max(0, now - time)) / 1000)
    time = max(time, now)
    let wanted = min(Double(count), perSecond)
    guard left >= wanted else { return Int64(((wanted - left) / perSecond * 1000).rounded(.up)) }
    left -= wanted
    return nil
  }
}
