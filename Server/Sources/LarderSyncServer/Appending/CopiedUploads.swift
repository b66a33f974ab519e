/// The uploads of a batch that were made before their site: a device that was restored from a backup, or whose file was copied, becomes a
/// new site and sends again what no site has sent. Of several copies each sends the same (MR-16).
///
/// Only such sites cost a further round trip, and only with those commits.
struct CopiedUploads {
  /// The indexes of those that another copy has sent.
  private(set) var repeated: Set<Int> = []
  /// The other ones, to be noted in the store.
  private(set) var new: [CommitCopy] = []

  /// - Parameter known: returns which commits were sent by copies, by their random numbers.
  init(
    _ uploads: [Upload], _ clients: [SiteKey: ClientRecord],
    known: ([UInt64]) throws(SyncStoreError) -> [CommitCopy]
  ) throws(SyncStoreError) {
    let copied = uploads.indices.filter { uploads[$0].siteVersion <= clients[uploads[$0].site]?.copiesThrough ?? 0 }
    guard !copied.isEmpty else { return }
    var sites: [UInt64: SiteKey] = [:]
    for copy in try known(copied.map { uploads[$0].nonce }) { sites[copy.nonce] = copy.site }
    for index in copied {
      let upload = uploads[index]
      if let site = sites[upload.nonce] {
        if site != upload.site { repeated.insert(index) }
      } else {
        sites[upload.nonce] = upload.site
        new.append(CommitCopy(nonce: upload.nonce, site: upload.site))
      }
    }
  }
}
