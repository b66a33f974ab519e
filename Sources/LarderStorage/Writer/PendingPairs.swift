/// Changes that wait for one pair tree; a reference, so that they grow in place.
final class PendingPairs {
  var changes: PairChanges

  init(codec: PairCodec) { changes = PairChanges(codec: codec) }
}
