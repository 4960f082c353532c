import Testing

@testable import PortolanGeodatabase

/// The edits that wait for others to arrive.
@Suite struct SyncOrderTests {
  private static let (site, survey, sample) = (
    SyncRow("Sites", 1), SyncRow("Surveys", 1), SyncRow("Samples", 1)
  )
  private static let otherSite = SyncRow("Sites", 2)

  @Test func `A part waits for the deletion of the whole, and that for nothing`() {
    var order = SyncOrder()
    order.add(Self.survey, asPartOf: Self.site)
    order.add(Self.sample, asPartOf: Self.survey)
    #expect(order.waiting() == [Self.survey, Self.sample])
  }

  @Test func `All that a part was a part of waits for it to leave`() {
    var order = SyncOrder()
    order.add(Self.survey, asPartOf: Self.site)
    order.add(Self.sample, leaving: Self.survey)
    #expect(order.waiting() == [Self.site, Self.survey])
  }

  @Test func `A part that leaves waits for another deletion that has emptied a key of it`() {
    var order = SyncOrder()
    order.add(Self.survey, leaving: Self.site)
    order.add(Self.survey, after: Self.otherSite)
    #expect(order.waiting() == [Self.survey, Self.site])
  }

  @Test func `A part does not wait for the deletion that waits until it has left`() {
    var order = SyncOrder()
    order.add(Self.survey, leaving: Self.site)
    order.add(Self.survey, after: Self.site)
    #expect(order.waiting() == [Self.site])
  }

  @Test func `Parts of each other do not wait for each other`() {
    var order = SyncOrder()
    order.add(Self.site, asPartOf: Self.otherSite)
    order.add(Self.otherSite, asPartOf: Self.site)
    order.add(Self.sample, asPartOf: Self.survey)
    #expect(order.waiting() == [Self.sample])
  }
}
