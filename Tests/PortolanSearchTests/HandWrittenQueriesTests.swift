import Testing

@testable import PortolanSearch

/// Labels, and what people type for them, written down by hand.
struct HandWrittenQueries: CustomStringConvertible, Sendable {
  /// A query, and the label that it means.
  struct Query: Hashable, Sendable {
    let text: String
    /// `nil` where nothing is meant.
    let answer: String?
  }

  static let all = english + european + westernScripts + asianScripts

  let title: String
  let labels: [String]
  let queries: [Query]

  var description: String { title }

  /// Reads labels, a line each, and queries.
  ///
  /// These are a line with an answer, then indented ones with what is typed for it. A hyphen stands for no
  /// answer.
  init(_ title: String, labels: String, _ queries: String) {
    self.title = title
    self.labels = labels.split(separator: "\n").map(String.init)
    var answer: String?
    var read: [Query] = []
    for line in queries.split(separator: "\n") {
      if line.hasPrefix("  ") {
        read.append(Query(text: String(line.dropFirst(2)), answer: answer))
      } else {
        answer = line == "-" ? nil : String(line)
      }
    }
    self.queries = read
  }
}

/// What a person types finds first what they mean.
@Suite struct HandWrittenQueriesTests {
  @Test(arguments: HandWrittenQueries.all)
  func `What a person types finds what they mean first`(
    _ queries: HandWrittenQueries
  ) async throws {
    let locator = try await LocatorTask.ofLabels(queries.labels)
    for query in queries.queries {
      let found = try await locator.geocode(query.text).first?.label
      #expect(found == query.answer, "\(query.text)")
      let suggested = try await locator.suggest(query.text).first?.label
      #expect(suggested == query.answer, "\(query.text), as a suggestion")
    }
  }

  @Test func `There are more than four hundred queries, and each answer is a label`() {
    let all = HandWrittenQueries.all
    #expect(all.map(\.queries.count).reduce(0, +) > 400)
    for group in all {
      let answers = Set(group.queries.compactMap(\.answer))
      #expect(answers.isSubset(of: group.labels), "\(answers.subtracting(group.labels))")
    }
  }
}
