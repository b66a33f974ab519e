import Foundation
import TestSupport

/// One random change of a file, as disks, programs and cut copies make them.
enum FileDamage {
  private static let page = 4_096

  /// Changes the bytes; gives back what was done.
  static func apply(to bytes: inout Data, _ random: inout SeededRandom) -> String {
    let pages = bytes.count / page
    let place = random.int(0..<bytes.count)
    let target = random.int(0..<pages)
    switch random.int(0...9) {
    case 0...3:
      let count = random.pick([1, 1, 1, 2, 8])
      var places: [Int] = []
      for _ in 0..<count {
        let place = random.int(0..<bytes.count)
        bytes[place] ^= 1 << UInt8(random.int(0...7))
        places.append(place)
      }
      return "bits at \(places)"
    case 4, 5:
      let length = min(random.int(1...64), bytes.count - place)
      bytes.replaceSubrange(place..<place + length, with: random.bytes(count: length))
      return "\(length) bytes at \(place)"
    case 6:
      let other = random.int(0..<pages)
      let (left, right) = (range(target), range(other))
      let content = bytes[left]
      bytes.replaceSubrange(left, with: Data(bytes[right]))
      bytes.replaceSubrange(right, with: Data(content))
      return "pages \(target) and \(other) changed places"
    case 7:
      bytes.replaceSubrange(range(target), with: Data(count: page))
      return "page \(target) is zero"
    case 8:
      // A page that was not written, and so is that of another file.
      let other = random.int(0..<pages)
      bytes.replaceSubrange(range(target), with: Data(bytes[range(other)]))
      return "page \(target) is page \(other)"
    default:
      bytes = bytes.prefix(place)
      return "cut to \(place)"
    }
  }

  private static func range(_ number: Int) -> Range<Int> { number * page..<(number + 1) * page }
}
