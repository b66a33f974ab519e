import CCounting

/// A check that the counters count at all: if the program's own functions are not found before the runtime's, everything costs nothing.
struct CounterCheck {
  private final class Sample {}

  @inline(never)
  private static func make() -> AnyObject { Sample() }

  @inline(never)
  private static func keep(_ sample: AnyObject, in kept: inout [AnyObject]) { kept.append(sample) }

  static var counts: Bool {
    var kept: [AnyObject] = []
    let before = counting_read()
    for _ in 0..<100 { keep(make(), in: &kept) }
    let made = counting_read()
    for sample in kept { keep(sample, in: &kept) }
    let copied = counting_read()
    return made.allocations - before.allocations >= 100 && copied.retains - made.retains >= 100 && kept.count == 200
  }
}
