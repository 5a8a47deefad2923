;;; futc-mode.el --- Futhark by the compiler futc  -*- lexical-binding: t -*-

;;; Commentary:

;; Colours and comments; what futc has to say, by Flymake (`M-x flymake-mode') or, where Eglot is, by the language
;; server (`M-x eglot').

;;; Code:

(require 'flymake)
(require 'let-alist)

(defgroup futc nil "Futhark." :group 'languages)

(defcustom futc-command "futc" "The command futc, by name or path." :type 'string)

(defvar futc-mode-syntax-table
  (let ((table (make-syntax-table)))
    ;; Two dashes begin a comment.
    (modify-syntax-entry ?- ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?' "_" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (dolist (c (string-to-list "+*/%=!<>|&^~:")) (modify-syntax-entry c "." table))
    table))

(defconst futc-font-lock
  `((,(regexp-opt '("def" "entry" "val" "type" "module" "import" "include" "open" "local" "let" "in" "loop" "for"
                    "while" "do" "with" "if" "then" "else" "match" "case" "assert")
                  'symbols)
     . font-lock-keyword-face)
    ("\\_<\\(?:def\\|entry\\|val\\)\\_>\\s-+\\(\\(?:\\sw\\|\\s_\\)+\\)" 1 font-lock-function-name-face)
    ("\\_<[iu]\\(?:8\\|16\\|32\\|64\\)\\_>\\|\\_<f\\(?:16\\|32\\|64\\)\\_>\\|\\_<bool\\_>" . font-lock-type-face)
    ("\\_<\\(?:true\\|false\\)\\_>" . font-lock-constant-face)
    ("#\\[[^]]*\\]" . font-lock-preprocessor-face)
    ("#\\(?:\\sw\\|\\s_\\)+" . font-lock-constant-face)))

(defvar-local futc--process nil)

(defun futc-flymake (report &rest _)
  "Have `futc check' look at the file of this buffer, as it was saved, and REPORT what it says."
  ;; A process that is ended reports nothing any more.
  (let ((before futc--process))
    (setq futc--process nil)
    (when (process-live-p before) (delete-process before)))
  (let ((source (current-buffer)))
    (setq futc--process
          (make-process
           :name "futc check" :noquery t :connection-type 'pipe
           :buffer (generate-new-buffer " *futc check*")
           :command (list futc-command "check" "--json" (buffer-file-name))
           :sentinel
           (lambda (process _)
             (unless (process-live-p process)
               (let ((said (with-current-buffer (process-buffer process) (buffer-string))))
                 (kill-buffer (process-buffer process))
                 (when (buffer-live-p source)
                   (with-current-buffer source
                     (when (eq process futc--process)
                       (funcall report (futc--diagnostics said))))))))))))

(defun futc--diagnostics (said)
  "The diagnostics in what futc SAID: JSON, each with the places that it is about."
  (delq nil
        (mapcar
         (lambda (what)
           (let-alist (append what (alist-get 'start (car (alist-get 'spans what))))
             (let ((at (and .line .column (flymake-diag-region (current-buffer) .line .column))))
               (and at
                    (flymake-make-diagnostic
                     (current-buffer) (car at) (cdr at)
                     (if (equal .severity "error") :error :warning)
                     .message)))))
         (ignore-errors (json-parse-string said :object-type 'alist :array-type 'list)))))

;;;###autoload
(define-derived-mode futc-mode prog-mode "Futhark"
  "For programs in Futhark."
  (setq-local comment-start "-- ")
  (setq-local comment-start-skip "--+\\s-*")
  (setq-local indent-tabs-mode nil)
  (setq-local font-lock-defaults '(futc-font-lock))
  (add-hook 'flymake-diagnostic-functions #'futc-flymake nil t))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.fut\\'" . futc-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs `(futc-mode . (,futc-command "lsp"))))

(provide 'futc-mode)
;;; futc-mode.el ends here
