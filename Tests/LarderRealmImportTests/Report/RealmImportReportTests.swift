import Testing

@testable import LarderRealmImport

@Suite struct RealmImportReportTests {
  @Test("The first 10,000 omissions are listed, and all are counted by their kinds") func omissions() {
    var report = RealmImportReport(format: 24, schemaVersion: 0)
    #expect(report.isComplete)
    for key in 0..<10_003 {
      report.add(
        RealmOmission(
          className: "A", key: Int64(key), reason: key.isMultiple(of: 2) ? .missingObject : .equalElement, detail: "x"))
    }
    #expect(report.omissions.map(\.key) == (0..<10_000).map { Int64($0) })
    #expect(report.omissionCount == 10_003)
    #expect(report.omissionCounts == [.missingObject: 5_002, .equalElement: 5_001])
    #expect(!report.isComplete)
  }
}
