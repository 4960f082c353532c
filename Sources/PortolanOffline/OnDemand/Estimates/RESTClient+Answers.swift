internal import PortolanPortal

// Questions that an estimate can do without an answer to.
extension RESTClient {
  /// An answer, or `nil` where the service has none.
  ///
  /// - Throws: ``PortolanPortal/PortalError`` if no other service would answer either.
  func answer<Value>(
    _ ask: () async throws(PortalError) -> Value
  ) async throws(PortalError) -> Value? {
    do throws(PortalError) { return try await ask() } catch {
      guard error.leavesOtherServices else { throw error }
      return nil
    }
  }

  /// The answers to questions, some of which are asked at once; those that have none are missing.
  ///
  /// - Throws: ``PortolanPortal/PortalError`` if no other service would answer either.
  func answers<Question: Hashable & Sendable, Value: Sendable>(
    to questions: [Question], atOnce width: Int,
    _ ask: @escaping @Sendable (Question) async throws(PortalError) -> Value
  ) async throws(PortalError) -> [Question: Value] {
    typealias Answer = (question: Question, value: Result<Value?, PortalError>)
    let client = self
    let answers = await withTaskGroup(of: Answer.self) { group in
      var waiting = questions.makeIterator()
      func begin() {
        guard let question = waiting.next() else { return }
        group.addTask {
          do throws(PortalError) {
            return (
              question,
              .success(
                try await client.answer { () async throws(PortalError) in try await ask(question) })
            )
          } catch {
            return (question, .failure(error))
          }
        }
      }
      for _ in 0..<width { begin() }
      var answers: [Answer] = []
      for await answer in group {
        answers.append(answer)
        // After a failure that stands for all others nothing more is asked.
        if case .success = answer.value { begin() }
      }
      return answers
    }
    var values: [Question: Value] = [:]
    for (question, value) in answers { values[question] = try value.get() }
    return values
  }
}
