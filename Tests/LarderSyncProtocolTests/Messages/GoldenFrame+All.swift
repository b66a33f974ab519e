import LarderSyncProtocol

extension GoldenFrame {
  static let all: [GoldenFrame] = session + data + rest

  private static let session = [
    GoldenFrame(
      .hello(
        Hello(
          tenant: "t", token: "abc", agent: "x", credential: SiteCredential(site: site, secret: [1, 2]),
          incarnation: 3, schemaFingerprint: 4,
          position: SyncPosition(
            epoch: 1, cursor: [9], view: view, retained: RetainedCommits(first: 6, nonces: [5, 6])), expands: true)),
      "4e0100010001000174036162630178010102030405060708090a0b0c0d0e0f1002010200000000000000030000000000"
        + "000004010101090103ac020602000000000000000500000000000000060001"),
    GoldenFrame(
      .welcome(
        Welcome(
          version: .current, session: 8, site: site, secret: [1, 2], epoch: 1, lastSiteVersion: 300, time: time,
          resumption: .fork(common: 5), limits: .standard, expands: false)),
      "3d0200010000000000000000080102030405060708090a0b0c0d0e0f100102010201ac02018bcfe56800000102058080"
        + "c008808010e807048080400f1e00"),
    GoldenFrame(.authenticate(token: "abc"), "06030003616263"),
    GoldenFrame(.authenticated(until: 1_700_000_000_000), "08040080d095ffbc31"),
    GoldenFrame(
      .subscribe(
        Subscribe(
          version: 3,
          queries: [
            SubscribedQuery(name: "all", className: "Person", predicate: "TRUEPREDICATE"),
            SubscribedQuery(className: "Person", predicate: "age > %@", arguments: [.int(3)]),
          ])),
      "2d050003020103616c6c0c506572736f6e0d5452554550524544494341544500000108616765203e202540010306"),
  ]

  private static let data = [
    GoldenFrame(
      .upload(Upload(commits: [commit])),
      "aa0106000107018bcfe568000001112233445566778809000c506572736f6e0a0206616765020352086e616d6500004a"
        + "0874616773000101000001024b0700020101010004a0a0a0a0a0a0a0a0b0b0b0b0b0b0b0b00200090017084369747903"
        + "526f6d0a6e616d6573000269740704526f6d61420a6d697865640e0100004a0d0204000101000001053ff80000000000"
        + "00c20d01000204000205010c01000a430c766973697473000501010a"),
    GoldenFrame(.acknowledge(Acknowledgement(siteVersion: 7, clamped: time)), "0c07000701018bcfe568000001"),
    GoldenFrame(
      .refused([
        RefusedOperation(siteVersion: 7, operation: 2, object: person, reason: .validator, message: "no")
      ]),
      "1208000107020c506572736f6e000a07026e6f"),
    GoldenFrame(
      .download(Download(part: 1, records: records, cursor: [1, 2, 3])),
      "6a09000102e80782808080adf9e78b030000a0a0a0a0a0a0a0a0b0b0b0b0b0b0b0b00208436974790103526f6d030c50"
        + "6572736f6e000a00020006616765035402067365740001030202020107030001020101070001010103526f6d02010c76"
        + "6973697473031003010203"),
    GoldenFrame(
      .bootstrapBegin(
        BootstrapBegin(view: view, isFull: true, objects: 10, bytes: 1_000, resumption: [7], continues: true)),
      "0c0a0003ac02010ae807010701"),
    GoldenFrame(
      .bootstrapPage(
        BootstrapPage(
          className: "Person", after: nil, through: .int(9), version: 77, ownSiteVersion: 6,
          objects: [ObjectDelta(person, .whole([SyncProperty("age", .int(1)), SyncProperty("home", embedded)]))])),
      "420b00000c506572736f6e000100124d060101000a010206616765030208686f6d650d04a0a0a0a0a0a0a0a0b0b0b0b0"
        + "b0b0b0b004000101067a697007053030313030"),
    GoldenFrame(
      .bootstrapEnd(
        BootstrapEnd(
          version: 70, ownSiteVersion: 6, view: view, epoch: 1, isFull: false, time: time, cursor: [4])),
      "130c00460603ac020100018bcfe5680000010104"),
  ]

  private static let rest = [
    GoldenFrame(.mark(300), "040d00ac02"),
    GoldenFrame(
      .failure(SyncFailure(.query, action: .carryOn, message: "m", subject: "s", retryAfter: 300)),
      "0d0e00f40300016d01017301ac02"),
    GoldenFrame(.credit(65_536), "050f00808004"),
    GoldenFrame(.ping(1), "03100001"),
    GoldenFrame(.pong(1), "03110001"),
    GoldenFrame(
      .schemaPush(schema),
      "33120002010c506572736f6e0001065f696403030100000000000661676501000100010108686f6d650a010001084369"
        + "74790000"),
    GoldenFrame(.schema(SyncSchema(version: 1, classes: [])), "0413000100"),
  ]
}
