/// The order of texts in a sort.
package enum TextCollation: Hashable, Sendable {
  /// By code points.
  case binary
  /// By code points of the folded text; equal texts by code points.
  case folded(TextOptions)
  /// The order that readers of a language expect, by its identifier ("de", "sv_SE").
  case locale(String)
}
