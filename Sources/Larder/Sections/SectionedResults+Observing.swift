import Dispatch
import Foundation

extension SectionedResults {
  public func observe(
    keyPaths: [String]?, on queue: DispatchQueue?,
    _ block: @escaping (SectionedResultsChange<SectionedResults<Key, SectionElement>>) -> Void
  ) -> NotificationToken {
    SectionObservation.observe(state, keyPaths, queue) { state, before in
      guard let before else { return block(.initial(SectionedResults(state))) }
      let changes = SectionChanges(from: before, to: state.layout, isWhole: true)
      // With a filter, what it leaves nothing of is not told; else every change of the results is (S-49).
      if !changes.isEmpty || keyPaths?.isEmpty ?? true { block(changes.told(to: SectionedResults(state))) }
    }
  }
}

extension ResultsSection {
  public func observe(
    keyPaths: [String]?, on queue: DispatchQueue?,
    _ block: @escaping (SectionedResultsChange<ResultsSection<Key, T>>) -> Void
  ) -> NotificationToken {
    let key = boundKey
    return SectionObservation.observe(state, keyPaths, queue) { state, before in
      let section = ResultsSection(state, key)
      guard let before else { return block(.initial(section)) }
      let new = state.layout
      let changes = SectionChanges(from: before, to: new, isWhole: false)
        .only(SectionKey(key), before.layout, new)
      if !changes.isEmpty { block(changes.told(to: section)) }
    }
  }
}

extension SectionChanges {
  func told<Collection>(to collection: Collection) -> SectionedResultsChange<Collection> {
    .update(
      collection, deletions: deletions, insertions: insertions, modifications: modifications,
      sectionsToInsert: sectionsToInsert, sectionsToDelete: sectionsToDelete)
  }
}
