/// The state of a write transaction while a migration changes objects.
struct MigrationState {
  /// Classes whose objects get owners at the end: until then they are shared.
  var becomingEmbedded: Set<ClassID> = []
  /// Classes whose index of primary keys must be rebuilt.
  var unindexed: Set<ClassID> = []
  /// Classes in which primary keys were assigned.
  var reassigned: Set<ClassID> = []
}
