/// Walks along the documents that have one of some terms, ascending, each once.
///
/// However many terms there are, as after the first letter, only those whose documents are due are
/// looked at: a range of terms waits in the heap with the least document that any of them has.
struct DocumentWalk {
  /// Where one term stands in its list of documents, or a range that was not begun.
  private struct Head {
    var document: Int
    /// The rest of the term's list, as bytes.
    var rest: Range<Int>
    /// The range of terms that waits; empty for a list that was begun.
    var terms: Range<Int>
    /// The term of the range that has the document.
    var term = 0
  }

  private let index: SearchIndex
  private var heap: [Head] = []
  private var last = -1

  /// Begins a walk.
  init(_ index: SearchIndex, _ word: WordMatch) {
    self.index = index
    for range in word.ranges { wait(for: range) }
  }

  /// The next document.
  mutating func next() -> Int? {
    while let head = heap.first {
      advance()
      guard head.document > last else { continue }
      last = head.document
      return head.document
    }
    return nil
  }

  /// Moves the head of the heap on.
  private mutating func advance() {
    let head = heap[0]
    if head.terms.isEmpty {
      guard !head.rest.isEmpty else { return removeFirst() }
      var offset = head.rest.lowerBound
      // No list steps back or stands still, whatever the bytes say.
      let step = max(1, Int(index.bytes.variable(at: &offset)))
      heap[0].document += step
      heap[0].rest = min(offset, head.rest.upperBound)..<head.rest.upperBound
      return sink(0)
    }
    removeFirst()
    begin(head.term, at: head.document)
    wait(for: head.terms.lowerBound..<head.term)
    wait(for: head.term + 1..<head.terms.upperBound)
  }

  /// Puts the list of a term, behind its first document, into the heap.
  private mutating func begin(_ term: Int, at document: Int) {
    let list = index.slice(.postingOffsets, term, of: .postings)
    var offset = list.lowerBound
    _ = index.bytes.variable(at: &offset)
    guard offset < list.upperBound else { return }
    let step = max(1, Int(index.bytes.variable(at: &offset)))
    push(
      Head(
        document: document + step,
        rest: min(offset, list.upperBound)..<list.upperBound, terms: 0..<0))
  }

  private mutating func wait(for terms: Range<Int>) {
    guard !terms.isEmpty else { return }
    let (document, term) = index.firstDocument(of: terms)
    push(Head(document: document, rest: 0..<0, terms: terms, term: term))
  }

  // MARK: - Heap

  private mutating func push(_ head: Head) {
    heap.append(head)
    var place = heap.count - 1
    while place > 0, heap[(place - 1) / 2].document > heap[place].document {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    if !heap.isEmpty { sink(0) }
  }

  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < heap.count && heap[child].document < heap[least].document {
        least = child
      }
      guard least != place else { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}
