/// Walks along the documents that have one of some terms, ascending.
///
/// However many terms there are, as after the first letter, only those whose documents are due are
/// looked at: a range of terms waits in the heap with the least document that any of them has.
struct DocumentWalk {
  /// The position of one term in its list of documents, or a range that was not begun.
  private struct Head {
    var document: Int
    /// What was begun; `nil` for a range that waits.
    var list: PostingList?
    /// The range of terms that waits.
    var terms = 0..<0
    /// The term of the range that has the document.
    var term = 0
  }

  /// Of so few terms none waits.
  private static let mostBegun = 8

  /// How many lists a walk may move on for each document that is asked for: more take longer than to
  /// look into the label.
  private static let mostMoves = 3

  private let index: SearchIndex
  /// The list of a word that is one term, as most are.
  private var only: PostingList?
  /// The lists and ranges of all other words, the one with the least document first.
  private var heap: [Head] = []
  /// How often a list was moved on, beyond what so many documents may take.
  private var excess: Int

  /// Begins a walk.
  init(_ index: SearchIndex, _ word: WordMatch) {
    self.index = index
    excess = -2 * word.termCount - Self.mostBegun
    if word.termCount == 1, let term = word.ranges.first?.lowerBound {
      only = PostingList(index, term)
    } else {
      for range in word.ranges { wait(for: range) }
    }
  }

  /// Whether it would take less to look into the labels of those documents that are requested.
  var isSlow: Bool { excess > 0 }

  /// The first document that is not below `target`; `nil` if there is none.
  ///
  /// The documents below are left behind: no later target may be less.
  mutating func document(from target: Int) -> Int? {
    if only != nil {
      only?.seek(target, in: index)
      return only.flatMap { $0.document < .max ? $0.document : nil }
    }
    excess -= Self.mostMoves
    while let least = heap.first?.document {
      if least >= target { return least }
      excess += 1
      advance(to: target)
    }
    return nil
  }

  /// Moves the head of the heap on.
  private mutating func advance(to target: Int) {
    if heap[0].list != nil {
      heap[0].list?.seek(target, in: index)
      heap[0].document = heap[0].list?.document ?? .max
      return heap[0].document == .max ? removeFirst() : sink()
    }
    let head = heap[0]
    removeFirst()
    guard head.terms.count > Self.mostBegun else {
      for term in head.terms { begin(term, at: target) }
      return
    }
    begin(head.term, at: target)
    wait(for: head.terms.lowerBound..<head.term)
    wait(for: head.term + 1..<head.terms.upperBound)
  }

  /// Puts the list of a term into the heap.
  private mutating func begin(_ term: Int, at target: Int) {
    var list = PostingList(index, term)
    list.seek(target, in: index)
    guard list.document < .max else { return }
    push(Head(document: list.document, list: list))
  }

  private mutating func wait(for terms: Range<Int>) {
    guard terms.count > 1 else {
      for term in terms { begin(term, at: 0) }
      return
    }
    let (document, term) = index.firstDocument(of: terms)
    push(Head(document: document, terms: terms, term: term))
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
    if !heap.isEmpty { sink() }
  }

  /// Moves the head down to its place.
  private mutating func sink() {
    var place = 0
    while true {
      var least = place
      let (left, right) = (2 * place + 1, 2 * place + 2)
      if left < heap.count, heap[left].document < heap[least].document { least = left }
      if right < heap.count, heap[right].document < heap[least].document { least = right }
      guard least != place else { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}
