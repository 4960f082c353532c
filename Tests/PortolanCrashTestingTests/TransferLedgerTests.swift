import DemoPortal
import Testing

@testable import PortolanCrashTesting

@Suite struct TransferLedgerTests {
  private static func transfer(_ id: String, from offset: Int, sent: Int) -> DemoTransfer {
    DemoTransfer(
      path: "/sharing/rest/content/items/\(id)/data", offset: offset, length: 1_000_000,
      sent: sent)
  }

  @Test func `What came after a part that was there is not counted twice`() {
    var ledger = TransferLedger(needed: ["a": 1_000_000])
    ledger.add([Self.transfer("a", from: 0, sent: 400_000)])
    ledger.add([Self.transfer("a", from: 390_000, sent: 610_000)], present: ["a": 395_000])
    #expect(ledger.fetchedTwice == 5_000 && ledger.whole == 1_000_000)
    #expect(ledger.lostUnderWay == 5_000)
    #expect(ledger.filesBegunAnew == 0)
  }

  @Test func `Bytes that were already there count as fetched twice`() {
    var ledger = TransferLedger(needed: [:])
    ledger.add([Self.transfer("b", from: 0, sent: 1_000_000)], present: ["b": 1_000_000])
    #expect(ledger.fetchedTwice == 1_000_000)
  }

  @Test func `A download restarts when the beginning of its file is sent again`() {
    var ledger = TransferLedger(needed: ["a": 1_000_000])
    ledger.add([Self.transfer("a", from: 0, sent: 400_000)])
    ledger.add([Self.transfer("a", from: 0, sent: 1_000_000)])
    #expect(ledger.filesBegunAnew == 1 && ledger.fetchedTwice == 0)
    #expect(ledger.lostUnderWay == 400_000)
  }

  @Test func `Documents count once`() {
    var ledger = TransferLedger(needed: [:])
    let document = DemoTransfer(path: "/sharing/rest/info", offset: 0, length: 70, sent: 70)
    for _ in 1...3 { ledger.add([document]) }
    #expect(ledger.whole == 70 && ledger.fetchedTwice == 140)
  }
}
