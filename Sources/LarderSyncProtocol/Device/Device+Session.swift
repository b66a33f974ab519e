// Sessions and resets.
extension Device {
  /// The commits that the device keeps, for the server to find where histories part.
  public var retained: RetainedCommits {
    let commits = replica.pending.commits
    return RetainedCommits(first: commits.first?.siteVersion ?? lastSiteVersion + 1, nonces: commits.map(\.nonce))
  }

  /// Takes the server's answer to the device's greeting. After a fork `site` is the new one (MR-16).
  public mutating func receive(_ resumption: Resumption, site: SiteID, epoch: UInt64, lastSiteVersion: UInt64) {
    dropPages()
    switch resumption {
    case .incremental: break
    case .rebuild:
      // What the server has lost, and the device still has, shows again over what the server has, and is sent again.
      if epoch != self.epoch || lastSiteVersion < acknowledged { replica.pending.waitAgain(after: lastSiteVersion) }
      needEverything()
    case .fork(let common):
      replica.fork(SiteFork(old: self.site, new: site, common: common))
      become(site, lastSiteVersion: self.lastSiteVersion - min(common, self.lastSiteVersion))
      needEverything()
    }
    acknowledged = lastSiteVersion
  }

  /// Everything is needed again; nothing is uploaded before it is here.
  public mutating func needEverything() {
    guard !research.contains(.rebuildIsForgotten) else { return }
    loseCursor()
  }

  /// Gives up all changes that wait, and the commits that are kept, of a site with no commit at the server: what comes next counts from the
  /// last confirmed one.
  public mutating func discardWaiting() {
    replica.pending.removeAll()
    become(site, lastSiteVersion: acknowledged)
  }

  /// Gives up all changes that the server has not merged, and becomes a new site: names of this one were used for what is given up (MR-17).
  public mutating func discard(newSite: SiteID) {
    replica.pending.removeAll()
    if research.contains(.discardKeepsSite) {
      become(site, lastSiteVersion: acknowledged)
    } else {
      become(newSite, lastSiteVersion: 0)
      acknowledged = 0
    }
    loseCursor()
  }
}
