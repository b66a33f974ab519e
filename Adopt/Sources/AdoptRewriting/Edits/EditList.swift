/// Edits of one file in the order of their places, none within another.
package struct EditList: Sendable, Equatable {
  package private(set) var edits: [Edit] = []

  package init() {}

  /// Rules work without knowing of each other, so that two may delete the same bytes, and one may remove a declaration in which another
  /// changes a word. An edit within a larger range is dropped, and ranges that overlap otherwise are an error of a rule.
  package init(_ all: [Edit]) throws(EditConflict) {
    let ordered = all.enumerated().sorted { left, right in
      let (a, b) = (left.element.range, right.element.range)
      if a.lowerBound != b.lowerBound { return a.lowerBound < b.lowerBound }
      // An insertion comes before what is replaced at its place; a removed range before the smaller ones in it.
      if a.isEmpty != b.isEmpty { return a.isEmpty }
      if a.upperBound != b.upperBound { return a.upperBound > b.upperBound }
      return left.offset < right.offset
    }
    for (_, edit) in ordered {
      guard let last = edits.last, edit.range.lowerBound < last.range.upperBound else {
        edits.append(edit)
        continue
      }
      if edit == last { continue }
      if edit.range != last.range, edit.range.upperBound <= last.range.upperBound { continue }
      if last.replacement.isEmpty, edit.replacement.isEmpty {
        edits[edits.count - 1] = .delete(last.range.lowerBound..<edit.range.upperBound)
        continue
      }
      throw EditConflict(first: last, second: edit)
    }
  }

  package var isEmpty: Bool { edits.isEmpty }

  package func applied(to source: SourceText) -> SourceText {
    var result: [UInt8] = []
    result.reserveCapacity(source.count)
    var offset = 0
    for edit in edits {
      result += source.bytes[offset..<edit.range.lowerBound]
      result += edit.replacement.utf8
      offset = edit.range.upperBound
    }
    result += source.bytes[offset...]
    return SourceText(result)
  }

  /// Returns the place of an offset of the file after the edits; the next kept byte for one that is replaced.
  package func moved(_ offset: Int) -> Int {
    var shift = 0
    for edit in edits {
      if edit.range.lowerBound > offset || (edit.range.lowerBound == offset && !edit.range.isEmpty) { break }
      let length = edit.replacement.utf8.count
      if edit.range.upperBound > offset { return edit.range.lowerBound + shift + length }
      shift += length - edit.range.count
    }
    return offset + shift
  }

  /// An edit of the file as one of the file after these edits; nil where these have changed its bytes.
  package func moved(_ edit: Edit) -> Edit? {
    let isTouched = edits.contains { $0.range.overlaps(edit.range) }
    if isTouched { return nil }
    let start = moved(edit.range.lowerBound)
    return Edit(start..<start + edit.range.count, edit.replacement)
  }
}

/// Two edits of one place: an error in the rules, never in the file.
package struct EditConflict: Error, Equatable, CustomStringConvertible {
  package let first: Edit
  package let second: Edit

  package var description: String {
    "two rules change bytes \(second.range.lowerBound) to \(first.range.upperBound): '\(first.replacement)' and '\(second.replacement)'"
  }
}
