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
    let client = self
    let answers = await withTaskGroup(of: Answer<Question, Value>.self) { group in
      var waiting = questions.makeIterator()
      func begin() {
        guard let question = waiting.next() else { return }
        group.addTask { await client.answer(to: question, ask) }
      }
      for _ in 0..<width { begin() }
      var answers: [Answer<Question, Value>] = []
      for await answer in group {
        answers.append(answer)
        // After a failure that stands for all others nothing more is asked.
        if case .success = answer.value { begin() }
      }
      return answers
    }
    var values: [Question: Value] = [:]
    for answer in answers { values[answer.question] = try answer.value.get() }
    return values
  }

  /// Asks a question, not in the closure of a task: the optimizer spoils pairs there where a typed error
  /// is caught.
  private func answer<Question: Hashable & Sendable, Value: Sendable>(
    to question: Question, _ ask: @Sendable (Question) async throws(PortalError) -> Value
  ) async -> Answer<Question, Value> {
    do throws(PortalError) {
      let value = try await answer { () async throws(PortalError) in try await ask(question) }
      return Answer(question: question, value: .success(value))
    } catch {
      return Answer(question: question, value: .failure(error))
    }
  }
}

/// The answer to a question; `nil` where it has no answer.
private struct Answer<Question: Hashable & Sendable, Value: Sendable>: Sendable {
  let question: Question
  let value: Result<Value?, PortalError>
}
